stage { 'pre': before => Stage['main'] }
class first { file { '/srv/pup/first': content => '1' } exec { '/bin/false': } }
class { 'first': stage => 'pre' }
file { '/srv/pup/main': content => '2' }
