File(/srv/pup/home/of/f): {file.managed: [name: /srv/pup/home/of/f, contents: x, contents_newline: false, user: pupuser, group: pupgroup]}
File(/srv/pup/home/of): {file.directory: [name: /srv/pup/home/of]}
File(/srv/pup/home): {file.directory: [name: /srv/pup/home]}
Cron(job): {cron.present: [name: /bin/true, identifier: job, user: pupuser, minute: '5']}
User(pupuser): {user.present: [name: pupuser, gid: pupgroup, createhome: false]}
Group(pupgroup): {group.present: [name: pupgroup]}
