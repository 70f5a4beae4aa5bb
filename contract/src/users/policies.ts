import { holding, type Policies, role } from '../http/policy.ts'
import type { credentials } from './credentials.ts'
import type { users } from './endpoints.ts'
import type { lockouts } from './lockouts.ts'

const seesUsers = holding(role('iam-users', 'users.view'))
const editsUsers = holding(role('iam-users', 'users.edit'))
const managesGroups = holding(role('iam-users', 'users.groups.manage'))

export const userPolicies: Policies<typeof users> = {
  listUsers: seesUsers,
  findUsers: seesUsers,
  getUser: seesUsers,
  getUserByName: seesUsers,
  createUser: holding(role('iam-users', 'users.create')),
  updateUser: editsUsers,
  deleteUser: holding(role('iam-users', 'users.delete')),
  userGroups: holding(role('iam-users', 'users.groups.view')),
  joinGroup: managesGroups,
  leaveGroup: managesGroups,
}

const managesCredentials = holding(role('iam-users', 'users.credentials.manage'))

export const credentialPolicies: Policies<typeof credentials> = {
  listCredentials: holding(role('iam-users', 'users.credentials.view')),
  deleteCredential: managesCredentials,
  listLinks: holding(role('iam-users', 'users.credentials.view')),
  removeLink: managesCredentials,
  resetPassword: managesCredentials,
  resetPasswordIn: managesCredentials,
  disableCredentials: managesCredentials,
  disableCredentialsIn: managesCredentials,
  mailActions: managesCredentials,
  mailActionsIn: managesCredentials,
  listSessions: holding(role('iam-users', 'users.sessions.view')),
  endSessions: editsUsers,
  listConsents: holding(role('iam-users', 'users.consents.view')),
}

export const lockoutPolicies: Policies<typeof lockouts> = {
  findLockouts: seesUsers,
  unlockUser: editsUsers,
  listLockedAddresses: seesUsers,
  unlockAddress: editsUsers,
  listUnlockings: seesUsers,
}
