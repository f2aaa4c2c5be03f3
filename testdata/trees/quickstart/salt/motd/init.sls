# A message of the day, from a file beside this one.
/etc/motd:
  file.managed:
    - source: salt://motd/motd
    - mode: '0644'
    - makedirs: true
