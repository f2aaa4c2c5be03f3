Exec(make): {cmd.run: [name: echo x > /srv/pup/gone, creates: /srv/pup/done]}
File(/srv/pup/gone): {file.absent: [name: /srv/pup/gone, require: [{cmd: Exec(make)}], notify: [{cmd: Exec(log)}]]}
Exec(log): {cmd.wait: [name: echo g >> /srv/pup/log, before: [{file: File(/srv/pup/done)}]]}
File(/srv/pup/done): {file.managed: [name: /srv/pup/done, contents: d, contents_newline: false]}
