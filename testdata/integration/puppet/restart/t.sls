File(/srv/pup/a): {file.managed: [name: /srv/pup/a, contents: a, contents_newline: false, notify: [{service: pup}]]}
File(/srv/pup/b): {file.managed: [name: /srv/pup/b, contents: b, contents_newline: false, notify: [{service: pup}]]}
File(/srv/pup/c): {file.managed: [name: /srv/pup/c, contents: c, contents_newline: false, notify: [{service: pup}]]}
Service(pup): {service.running: [name: pup]}
