base:
  '*':
    - httpd
