import type { ReactNode } from 'react'
import { useAccount } from '../../api/account.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import layout from '../../ui/lists/columns.module.css'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { Activities } from './activities.tsx'
import { Appearance } from './appearance.tsx'
import { CommandLine } from './command-line.tsx'
import { Consents } from './consents.tsx'
import { Currency } from './currency.tsx'
import { LinkedIdentities } from './linked-identities.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'

interface Props {
  /** The kubeconfigs that the person holds. */
  kubeconfigs: ReactNode
  /** Their tokens for scripts. */
  tokens: ReactNode
  /** The choice of what they are told. */
  subscriptions: ReactNode
}

export function AccountPage({ kubeconfigs, tokens, subscriptions }: Props) {
  usePageTitle('Account')
  const { me } = usePortal()
  const { username, ...token } = me()
  // The token says what was so when it was made.
  const { firstName, lastName } = useAccount().data ?? token
  const name = `${firstName ?? ''} ${lastName ?? ''}`.trim() || username
  return (
    <>
      <DetailHeader mark={<Avatar name={name} size={40} round />} title={name} below={<bdi>{username}</bdi>} />
      <div className={layout.columns}>
        <div className={layout.stack}>
          <Profile />
          <Sessions />
          {tokens}
          <Activities />
          <Consents />
          {kubeconfigs}
        </div>
        <div className={layout.stack}>
          <SignIn />
          <LinkedIdentities />
          <Appearance />
          <Currency />
          {subscriptions}
          <CommandLine />
        </div>
      </div>
    </>
  )
}
