File(/srv/pup/n): {file.managed: [name: /srv/pup/n, contents: n, noop: true, notify: [{cmd: Exec(log)}]]}
Exec(log): {cmd.wait: [name: echo r >> /srv/pup/log]}
File(/srv/pup/m): {file.managed: [name: /srv/pup/m, contents: m, contents_newline: false]}
