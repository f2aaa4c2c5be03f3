include: [conf]
Exec(once): {cmd.wait: [name: echo o >> /srv/pup/log, subscribe: [{sls: conf}]]}
File(/srv/pup/c): {file.managed: [name: /srv/pup/c, contents: c, contents_newline: false, subscribe: [{sls: conf}]]}
