File(/srv/pup/red): {file.managed: [name: /srv/pup/red, contents: r, tags: red, notify: [{cmd: Exec(log)}]]}
Exec(log): {cmd.wait: [name: echo r >> /srv/pup/log, tags: blue]}
File(/srv/pup/blue): {file.managed: [name: /srv/pup/blue, contents: b, contents_newline: false, tags: blue, require: [{file: File(/srv/pup/red)}]]}
