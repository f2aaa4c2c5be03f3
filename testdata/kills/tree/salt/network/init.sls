# What every machine has that serves something: names for its networks.
/etc/networks:
  file.managed:
    - source: salt://network/networks
    - mode: '0644'
