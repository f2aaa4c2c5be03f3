base:
  '*':
    - motd
    - app
