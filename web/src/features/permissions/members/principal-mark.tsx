import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { Avatar } from '../../../ui/marks/avatar.tsx'
import styles from './principal-mark.module.css'

/** A person's letters, a group's and a role's sign; always beside the name. */
export function PrincipalMark({ type, name, size = 30 }: Pick<NamedPrincipal, 'type' | 'name'> & { size?: number }) {
  if (type === 'user') return <Avatar name={name} size={size} round />
  const Sign = type === 'group' ? IconUsers : IconKey
  return (
    <span className={styles.mark} style={{ inlineSize: size, blockSize: size }} aria-hidden="true">
      <Sign size={Math.round(size * 0.56)} stroke={1.75} />
    </span>
  )
}
