file { '/srv/pup/a': content => 'a', notify => File['/tmp'] }
file { '/tmp': ensure => directory, notify => Exec['far'] }
exec { 'far': command => '/bin/sh -c "echo f >> /srv/pup/log"', refreshonly => true }
exec { 'near': command => '/bin/sh -c "echo n >> /srv/pup/log"', refreshonly => true, subscribe => [File['/srv/pup/a'], File['/srv/pup/b']] }
file { '/srv/pup/b': content => 'b' }
