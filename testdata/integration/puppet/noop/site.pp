file { '/srv/pup/n': content => 'n', noop => true, notify => Exec['log'] }
exec { 'log': command => '/bin/sh -c "echo r >> /srv/pup/log"', refreshonly => true }
file { '/srv/pup/m': content => 'm' }
