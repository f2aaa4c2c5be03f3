Exec(/bin/false): {cmd.run: [name: /bin/false]}
File(/srv/pup/after): {file.managed: [name: /srv/pup/after, contents: x, require: [{cmd: Exec(/bin/false)}]]}
Notify(b): {test.succeed_with_changes: [require: [{file: File(/srv/pup/after)}]]}
File(/srv/pup/alone): {file.managed: [name: /srv/pup/alone, contents: y, contents_newline: false]}
