# Old modules call functions of salt.utils that later moved into its parts.
from salt.utils.data import is_true, traverse_dict, traverse_dict_and_list
from salt.utils.files import fopen
from salt.utils.path import which, which_bin
from salt.utils.stringutils import to_bytes, to_str
