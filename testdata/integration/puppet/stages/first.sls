File(/srv/pup/first): {file.managed: [name: /srv/pup/first, contents: '1', contents_newline: false]}
Exec(/bin/false): {cmd.run: [name: /bin/false]}
