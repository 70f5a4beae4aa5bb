import type { ClientRow, ClientSession } from '@quayside/contract/clients/administration'
import type { AdminEvent, SignInEvent } from '@quayside/contract/events/endpoints'
import type { Role } from '@quayside/contract/roles/endpoints'
import type { User } from '@quayside/contract/users/endpoints'
import { type ListCase, listCase } from './list-case.ts'

/** The same four people, by the group and by the role that they have. */
const people = (params: NonNullable<ListCase['params']>) =>
  listCase<User>({
    params,
    sorts: {},
    usually: [[({ username }) => username, 'ASC']],
    filters: {},
    searches: {
      'listed-a_b': ({ username }) => username === 'listed-a_b',
      'd%a': () => false,
      'd;a': () => false,
      MOSS: ({ lastName }) => lastName === 'Moss',
      'adam@': ({ firstName }) => firstName === 'adam',
    },
  })

/** Lists of people, roles, clients and events. */
export const iamListCases: Readonly<Record<string, ListCase>> = {
  'GET /iam/v3/roles': listCase<Role>({
    only: () => ({ search: 'listed' }),
    sorts: {
      name: ({ name }) => name,
      description: ({ description }) => description,
      composite: ({ composite }) => composite,
    },
    usually: [[({ name }) => name, 'ASC']],
    filters: {},
    searches: {
      a_b: ({ description }) => description === 'of a_b',
      '50% off': ({ description }) => description === 'half 50% off',
      '0% o': ({ description }) => description === 'half 50% off',
      'LISTED-A': ({ name }) => name === 'listed-a',
      'listed;a': () => false,
    },
  }),
  'GET /iam/v3/groups/:id/members': people(({ groupId }) => ({ id: groupId })),
  'GET /iam/v3/roles/:name/users': people(() => ({ name: 'listed' })),
  'GET /iam/v3/events': listCase<SignInEvent>({
    sorts: {},
    usually: [[({ at }) => at, 'DESC']],
    filters: {
      type: { by: () => 'LOGIN_ERROR', keeps: ({ type }) => type === 'LOGIN_ERROR' },
      user: { by: ({ signedInId }) => signedInId, keeps: ({ user }, { signedInId }) => user?.id === signedInId },
      client: { by: () => 'listed-0', keeps: ({ client }) => client === 'listed-0' },
      ipAddress: { by: () => '203.0.113.9', keeps: () => false },
      from: { by: () => '2100-01-01', keeps: () => false },
      to: { by: () => '2000-01-01', keeps: () => false },
    },
    searches: {},
  }),
  'GET /iam/v3/admin-events': listCase<AdminEvent>({
    sorts: {},
    usually: [[({ at }) => at, 'DESC']],
    filters: {
      operation: { by: () => 'DELETE', keeps: ({ operation }) => operation === 'DELETE' },
      resourceType: { by: () => 'CLIENT', keeps: ({ resourceType }) => resourceType === 'CLIENT' },
      user: { by: ({ admin }) => admin.userId, keeps: ({ user }, { admin }) => user?.id === admin.userId },
      from: { by: () => '2100-01-01', keeps: () => false },
      to: { by: () => '2000-01-01', keeps: () => false },
    },
    searches: {},
  }),
  'GET /iam/v3/clients': listCase<ClientRow>({
    only: () => ({ search: 'listed' }),
    sorts: {
      clientId: ({ clientId }) => clientId,
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
      enabled: ({ enabled }) => enabled,
    },
    usually: [[({ clientId }) => clientId, 'ASC']],
    filters: {
      kind: { by: () => 'script', keeps: ({ kind }) => kind === 'script' },
      enabled: { by: () => 'false', keeps: ({ enabled }) => !enabled },
    },
    searches: {
      a_b: ({ name }) => name === 'bravo a_b',
      '0% o': ({ name }) => name === 'delta 50% off',
      'LISTED-1': ({ clientId }) => clientId === 'listed-1',
      'listed;1': () => false,
    },
  }),
  'GET /iam/v3/clients/:id/sessions': listCase<ClientSession>({
    params: ({ clientId }) => ({ id: clientId }),
    sorts: {},
    usually: [[({ lastAccessAt }) => lastAccessAt, 'DESC']],
    filters: {},
    searches: {},
  }),
  'GET /iam/v3/clients/:id/roles/:rid/users': people(({ clientId, clientRoleId }) => ({
    id: clientId,
    rid: clientRoleId,
  })),
  'GET /iam/v3/users': listCase<User>({
    only: () => ({ search: 'listed' }),
    sorts: {
      username: ({ username }) => username,
      name: ({ firstName, lastName }) => `${firstName} ${lastName}`,
      email: ({ email }) => email ?? '',
      enabled: ({ enabled }) => enabled,
      createdAt: ({ createdAt }) => createdAt ?? '',
    },
    usually: [[({ username }) => username, 'ASC']],
    filters: { enabled: { by: () => 'false', keeps: ({ enabled }) => !enabled } },
    searches: {
      'listed-a_b': ({ username }) => username === 'listed-a_b',
      'd%a': () => false,
      'd;a': () => false,
      'moss&x': () => false,
      moss: ({ lastName }) => lastName === 'Moss',
    },
  }),
}
