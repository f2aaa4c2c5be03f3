file { '/srv/pup/a': content => 'a', notify => Service['pup'] }
file { '/srv/pup/b': content => 'b', notify => Service['pup'] }
file { '/srv/pup/c': content => 'c', notify => Service['pup'] }
service { 'pup': ensure => running }
