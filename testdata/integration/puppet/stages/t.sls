include: [first: {stage: pre}]
File(/srv/pup/main): {file.managed: [name: /srv/pup/main, contents: '2']}
