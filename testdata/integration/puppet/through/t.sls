File(/srv/pup/a): {file.managed: [name: /srv/pup/a, contents: a, contents_newline: false, notify: [{file: File(/tmp)}]]}
File(/tmp): {file.directory: [name: /tmp, notify: [{cmd: Exec(far)}]]}
Exec(far): {cmd.wait: [name: echo f >> /srv/pup/log]}
Exec(near): {cmd.wait: [name: echo n >> /srv/pup/log, subscribe: [{file: File(/srv/pup/a)}, {file: File(/srv/pup/b)}]]}
File(/srv/pup/b): {file.managed: [name: /srv/pup/b, contents: b, contents_newline: false]}
