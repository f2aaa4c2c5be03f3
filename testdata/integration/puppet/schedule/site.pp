schedule { 'off': period => never }
file { '/srv/pup/never': content => 'x', schedule => 'off' }
exec { 'daily': command => '/bin/sh -c "echo e >> /srv/pup/log"', schedule => 'daily' }
notify { 'n': require => File['/srv/pup/never'] }
