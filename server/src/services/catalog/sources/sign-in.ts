import { type SourceSignIn, webAddressOf } from '@quayside/contract/catalog/source-rules'
import type { SourceInput } from '@quayside/contract/catalog/sources'
import type { Encryption } from '../../../platform/encryption/encryption.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { OpenSignIn } from './open-upstream.ts'
import type { SourceRow } from './tables.ts'

export const placeOf = (id: string) => `catalog.source.${id}`

type Asked = Pick<SourceInput, 'kind' | 'address' | 'signIn' | 'username' | 'secret'>
type Kept = Pick<SourceRow, 'id' | 'tenant_id' | 'kind' | 'address' | 'sign_in' | 'username' | 'secret'>

const needed: Record<SourceSignIn, string> = { none: '', password: 'Password required', token: 'Token required' }

/** Secrets of sources: encrypted where they are kept, and in the open only while a source is asked. */
export function createSignIns(encryption: Encryption) {
  const open = ({ tenant_id, id, sign_in, username, secret }: Kept): OpenSignIn => ({
    kind: secret === null ? 'none' : sign_in,
    username,
    secret: secret === null ? '' : encryption.decrypt(tenant_id, placeOf(id), secret),
  })

  return {
    open,
    encrypt: (tenantId: string, id: string, { kind, secret }: OpenSignIn): string | null =>
      kind === 'none' ? null : encryption.encrypt(tenantId, placeOf(id), secret),

    /** The sign-in that is asked for, with the secret that is kept where none is given. */
    wanted({ kind, address, signIn, username, secret }: Asked, kept: Kept | undefined): OpenSignIn {
      if (signIn === 'none') return { kind: 'none', username: '', secret: '' }
      const name = signIn === 'password' ? username : ''
      if (secret !== undefined) return { kind: signIn, username: name, secret }
      const before = kept && open(kept)
      if (!kept || before?.kind !== signIn) throw fail('request.invalid', { field: 'secret', message: needed[signIn] })
      const goesThere = originOf(address) === originOf(kept.address) && kind === kept.kind && name === kept.username
      // A secret that somebody else has typed is not sent anywhere but where they meant it to go.
      if (!goesThere)
        throw fail('request.invalid', {
          field: 'secret',
          message: 'Enter it again: the address or user name has changed.',
        })
      return before
    },
  }
}

const originOf = (address: string) => new URL(webAddressOf(address)).origin
