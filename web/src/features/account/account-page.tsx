import type { ReactNode } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import layout from '../../ui/lists/columns.module.css'
import { Avatar } from '../../ui/marks/avatar.tsx'
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
