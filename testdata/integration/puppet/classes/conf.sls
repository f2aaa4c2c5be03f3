File(/srv/pup/a): {file.managed: [name: /srv/pup/a, contents: a, contents_newline: false]}
File(/srv/pup/b): {file.managed: [name: /srv/pup/b, contents: b, contents_newline: false]}
