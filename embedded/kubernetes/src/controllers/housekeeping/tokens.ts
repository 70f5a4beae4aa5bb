import type { Engine } from '../engine/engine.ts'
import type { DataObject } from '../engine/kinds.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'

const TOKEN_TYPE = 'kubernetes.io/service-account-token'
const ACCOUNT = 'kubernetes.io/service-account.name'
const ACCOUNT_UID = 'kubernetes.io/service-account.uid'

/** Makes the token of a service account for a Secret that asks for one. */
export type SignToken = (account: { namespace: string; name: string; uid: string; secret: string }) => string

/** Fills Secrets of the service-account token type, and removes those whose account is gone. */
export function tokenController({ store }: Engine, caCertificate: string, sign: SignToken): Controller {
  const tokens = (namespace: string | undefined) =>
    store.list('/secrets', namespace).filter(({ type }) => type === TOKEN_TYPE)
  return {
    name: 'ServiceAccountToken',
    watches: {
      '/secrets': (event, resource) =>
        (event.object as DataObject).type === TOKEN_TYPE ? itself(event, resource) : undefined,
      '/serviceaccounts': ({ type, object }) =>
        type === 'MODIFIED' ? undefined : tokens(object.metadata.namespace).map(keyOf),
    },
    reconcile(key) {
      const { namespace = '', name } = parseKey(key)
      const secret = store.get('/secrets', namespace, name)
      const accountName = secret?.metadata.annotations?.[ACCOUNT]
      if (!secret || !accountName || secret.metadata.deletionTimestamp) return
      const account = store.get('/serviceaccounts', namespace, accountName)
      const uid = secret.metadata.annotations?.[ACCOUNT_UID]
      if (!account || (uid && uid !== account.metadata.uid)) {
        store.delete('/secrets', secret)
        return
      }
      if (secret.data?.token && uid) return
      const token = sign({ namespace, name: accountName, uid: account.metadata.uid, secret: name })
      const encoded = (text: string) => Buffer.from(text).toString('base64')
      store.update('/secrets', secret, (own) => ({
        ...own,
        metadata: {
          ...own.metadata,
          annotations: { ...own.metadata.annotations, [ACCOUNT_UID]: account.metadata.uid },
        },
        data: { ...own.data, token: encoded(token), 'ca.crt': encoded(caCertificate), namespace: encoded(namespace) },
      }))
    },
  }
}
