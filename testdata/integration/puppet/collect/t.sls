defaults: {file.managed: {mode: '0600'}}
realize: [{tag: staff}]
File(/srv/pup/one): {file.managed: [name: /srv/pup/one, contents: '1', contents_newline: false, tags: staff, virtual: true]}
File(/srv/pup/two): {file.managed: [name: /srv/pup/two, contents: '2', tags: other, virtual: true]}
File(/srv/pup/three): {file.managed: [name: /srv/pup/three, contents: '3', contents_newline: false, mode: '0640', require: [{file: File(/srv/pup/one)}]]}
