exec { 'make': command => '/bin/sh -c "echo x > /srv/pup/gone"', creates => '/srv/pup/done' }
file { '/srv/pup/gone': ensure => absent, require => Exec['make'], notify => Exec['log'] }
exec { 'log': command => '/bin/sh -c "echo g >> /srv/pup/log"', refreshonly => true, before => File['/srv/pup/done'] }
file { '/srv/pup/done': content => 'd' }
