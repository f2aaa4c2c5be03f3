File(/srv/pup/a): {file.managed: [name: /srv/pup/a, contents: a, contents_newline: false, notify: [{service: Service(pup)}]]}
Service(pup): {service.dead: [name: pup]}
