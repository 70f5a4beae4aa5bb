import type { ClientKind } from '@quayside/contract/clients/rules'

/** Kinds of clients as people read them. */
export const kindWords: Readonly<Record<ClientKind, string>> = {
  portal: 'Portal',
  app: 'Deployed app',
  script: 'Service account',
  'identity-server': 'Identity server',
  other: 'Application',
}
