import type { ReactNode } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import layout from '../../ui/columns.module.css'
import { DetailHeader } from '../../ui/detail-header.tsx'
import { Appearance } from './appearance.tsx'
import { CommandLine } from './command-line.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'

interface Props {
  /** The kubeconfigs that the person holds. */
  kubeconfigs: ReactNode
}

export function AccountPage({ kubeconfigs }: Props) {
  usePageTitle('Account')
  const { me } = usePortal()
  const { username, firstName, lastName } = me()
  const name = `${firstName} ${lastName}`.trim() || username
  return (
    <>
      <DetailHeader mark={<Avatar name={name} size={40} round />} title={name} below={<bdi>{username}</bdi>} />
      <div className={layout.columns}>
        <div className={layout.stack}>
          <Profile />
          <Sessions />
          {kubeconfigs}
        </div>
        <div className={layout.stack}>
          <Appearance />
          <CommandLine />
        </div>
      </div>
    </>
  )
}
