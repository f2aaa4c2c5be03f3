File(/srv/pup/l): {file.symlink: [name: /srv/pup/l, target: /srv/pup/d/f]}
File(/srv/pup/d/f): {file.managed: [name: /srv/pup/d/f, contents: f, contents_newline: false]}
File(/srv/pup/d): {file.directory: [name: /srv/pup/d, mode: '0750']}
File(/srv/pup/e/g): {file.managed: [name: /srv/pup/e/g, contents: g, contents_newline: false]}
