# A web server: its package, the account it runs its applications as, its configuration, and the service.
include:
  - network

httpd:
  pkg.installed:
    - name: gst-httpd
  service.running:
    - name: gst-httpd
    - enable: true
    - watch:
      - file: /etc/gst-httpd/conf.d/site.conf
      - file: /etc/gst-httpd/conf.d/tuning.conf
    - require:
      - pkg: httpd
      - user: webapp
      - group: webapp
      - sls: network

webapp:
  group.present:
    - gid: 3080
  user.present:
    - uid: 3080
    - gid: 3080
    - fullname: Web application
    - home: /srv/webapp
    - shell: /usr/sbin/nologin
    - require:
      - group: webapp

/etc/gst-httpd/conf.d/site.conf:
  file.managed:
    - source: salt://httpd/site.conf
    - mode: '0644'
    - makedirs: true
    - require:
      - pkg: httpd

/etc/gst-httpd/conf.d/tuning.conf:
  file.managed:
    - source: salt://httpd/tuning.conf
    - mode: '0644'
    - makedirs: true
    - require:
      - pkg: httpd
