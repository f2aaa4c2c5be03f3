file { '/srv/pup/home/of/f': content => 'x', owner => 'pupuser', group => 'pupgroup' }
file { '/srv/pup/home/of': ensure => directory }
file { '/srv/pup/home': ensure => directory }
cron { 'job': command => '/bin/true', user => 'pupuser', minute => '5' }
user { 'pupuser': ensure => present, gid => 'pupgroup' }
group { 'pupgroup': ensure => present }
