File(/srv/pup/never): {file.managed: [name: /srv/pup/never, contents: x, schedule: 'off']}
Exec(daily): {cmd.run: [name: echo e >> /srv/pup/log, schedule: daily]}
Notify(n): {test.succeed_with_changes: [require: [{file: File(/srv/pup/never)}]]}
