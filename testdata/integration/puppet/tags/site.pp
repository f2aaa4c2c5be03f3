file { '/srv/pup/red': content => 'r', tag => 'red', notify => Exec['log'] }
exec { 'log': command => '/bin/sh -c "echo r >> /srv/pup/log"', refreshonly => true, tag => 'blue' }
file { '/srv/pup/blue': content => 'b', tag => 'blue', require => File['/srv/pup/red'] }
