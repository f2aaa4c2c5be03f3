# A small application: a directory, a configuration, a link to it, and a note when the configuration changed.
include:
  - motd

/srv/app:
  file.directory:
    - mode: '0755'
    - makedirs: true

/srv/app/app.conf:
  file.managed:
    - contents: |
        listen = 8080
        greeting = hello
    - mode: '0640'
    - require:
      - file: /srv/app

/etc/app.conf:
  file.symlink:
    - target: /srv/app/app.conf
    - require:
      - file: /srv/app/app.conf

note the change:
  file.append:
    - name: /srv/app/history
    - text: the configuration is kept by gostate
    - onchanges:
      - file: /srv/app/app.conf

/etc/app.conf.bak:
  file.absent: []
