class SaltException(Exception):
    def __init__(self, message="", *args):
        super().__init__(message, *args)
        self.message = self.strerror = message


class SaltClientError(SaltException):
    pass


class CommandNotFoundError(SaltException):
    pass


class CommandExecutionError(SaltException):
    def __init__(self, message="", info=None):
        super().__init__(message)
        self.info = info


class LoaderError(SaltException):
    pass


class MinionError(SaltException):
    pass


class FileLockError(SaltException):
    pass


class SaltInvocationError(SaltException, TypeError):
    pass


class SaltRenderError(SaltException):
    def __init__(self, message="", line_num=None, buf="", marker="", trace=None):
        super().__init__(message)
        self.line_num, self.buffer = line_num, buf


class SaltReqTimeoutError(SaltException):
    pass


class SaltRunnerError(SaltException):
    pass


class SaltConfigurationError(SaltException):
    pass


class SaltCacheError(SaltException):
    pass


class SaltDeserializationError(SaltException):
    pass


class SaltNoMinionsFound(SaltException):
    pass


class TimedProcTimeoutError(SaltException):
    pass


class PkgParseError(SaltException):
    pass


class TemplateError(SaltException):
    pass


class AuthorizationError(SaltException):
    pass


class AuthenticationError(SaltException):
    pass


class SaltCloudException(SaltException):
    pass


class SaltSystemExit(SystemExit):
    pass


class ArgumentValueError(CommandExecutionError):
    pass


class CheckError(CommandExecutionError):
    pass


class InvalidConfigError(CommandExecutionError):
    pass


class InvalidEntityError(CommandExecutionError):
    pass
