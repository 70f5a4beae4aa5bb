import { expect, test } from 'vitest'
import { isReserved } from './reserved-names.ts'

test.each([
  ...['quayside', 'quayside-api', 'quayside-server', 'quayside-portal-ui', 'quayside-portal-ui-apps', 'quayside-app-1'],
  ...['account', 'realm-management', 'broker'],
])('%s is kept for the portal and the identity server', (name) => expect(isReserved(name)).toBe(true))

test.each(['accounting', 'brokerage', 'quaysides', 'my-quayside-bot', 'admin-client'])('%s is free', (name) =>
  expect(isReserved(name)).toBe(false),
)
