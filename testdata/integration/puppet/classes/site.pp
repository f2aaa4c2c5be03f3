class conf { file { '/srv/pup/a': content => 'a' } file { '/srv/pup/b': content => 'b' } }
class act { exec { 'once': command => '/bin/sh -c "echo o >> /srv/pup/log"', refreshonly => true } file { '/srv/pup/c': content => 'c' } }
include act, conf
Class['conf'] ~> Class['act']
