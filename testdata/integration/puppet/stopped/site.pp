file { '/srv/pup/a': content => 'a', notify => Service['pup'] }
service { 'pup': ensure => stopped }
