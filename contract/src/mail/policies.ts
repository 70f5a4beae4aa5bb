import { holding, type Policies, role } from '../http/policy.ts'
import type { mail } from './endpoints.ts'

const seesLogin = holding(role('iam-loginsettings', 'loginsettings.view'))
const editsLogin = holding(role('iam-loginsettings', 'loginsettings.edit'))
const managesCredentials = holding(role('iam-users', 'users.credentials.manage'))

export const mailPolicies: Policies<typeof mail> = {
  mailSettings: seesLogin,
  setMailSettings: editsLogin,
  testMail: editsLogin,
  findMails: seesLogin,
  // The link in it leads into the account of the person.
  readMail: managesCredentials,
  sendMail: editsLogin,
  makeLink: managesCredentials,
}
