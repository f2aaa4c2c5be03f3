file { '/srv/pup/l': ensure => link, target => '/srv/pup/d/f' }
file { '/srv/pup/d/f': content => 'f' }
file { '/srv/pup/d': ensure => directory, mode => '0750' }
file { '/srv/pup/e/g': content => 'g' }
