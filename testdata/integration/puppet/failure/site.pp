exec { '/bin/false': }
file { '/srv/pup/after': content => 'x', require => Exec['/bin/false'] }
notify { 'b': require => File['/srv/pup/after'] }
file { '/srv/pup/alone': content => 'y' }
