import getpass
import grp
import os
import pwd


def get_user():
    return pwd.getpwuid(os.geteuid()).pw_name


def get_uid(user=None):
    return os.geteuid() if user is None else pwd.getpwnam(user).pw_uid


def get_gid(group=None):
    return os.getegid() if group is None else grp.getgrnam(group).gr_gid


def get_group_list(user, include_default=True):
    gid = pwd.getpwnam(user).pw_gid
    return sorted(grp.getgrgid(g).gr_name for g in os.getgrouplist(user, gid) if include_default or g != gid)
