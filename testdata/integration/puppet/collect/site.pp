File { mode => '0600' }
@file { '/srv/pup/one': content => '1', tag => 'staff' }
@file { '/srv/pup/two': content => '2', tag => 'other' }
File <| tag == 'staff' |>
file { '/srv/pup/three': content => '3', mode => '0640', require => File['/srv/pup/one'] }
