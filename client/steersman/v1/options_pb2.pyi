from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_ADMIN: _ClassVar[Role]
    ROLE_CLIENT: _ClassVar[Role]
    ROLE_RUNNER: _ClassVar[Role]
    ROLE_VIEWER: _ClassVar[Role]
ROLE_UNSPECIFIED: Role
ROLE_ADMIN: Role
ROLE_CLIENT: Role
ROLE_RUNNER: Role
ROLE_VIEWER: Role
ROLES_FIELD_NUMBER: _ClassVar[int]
roles: _descriptor.FieldDescriptor
SUCCESS_STATUS_FIELD_NUMBER: _ClassVar[int]
success_status: _descriptor.FieldDescriptor
SSE_FIELD_NUMBER: _ClassVar[int]
sse: _descriptor.FieldDescriptor
GRPC_CODE_FIELD_NUMBER: _ClassVar[int]
grpc_code: _descriptor.FieldDescriptor
HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
http_status: _descriptor.FieldDescriptor
