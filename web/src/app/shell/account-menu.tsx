import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconSunMoon from '@tabler/icons-react/dist/esm/icons/IconSunMoon.mjs'
import IconTextDirectionRtl from '@tabler/icons-react/dist/esm/icons/IconTextDirectionRtl.mjs'
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs'
import { Link } from '@tanstack/react-router'
import { useWhy } from '../../api/permissions/why.tsx'
import { usePortal } from '../../lib/portal.tsx'
import { setPreference, usePreferences } from '../../lib/preferences.ts'
import { Popover } from '../../ui/layout/popover.tsx'
import menu from '../../ui/layout/popover-menu.module.css'
import { Avatar } from '../../ui/marks/avatar.tsx'
import styles from './account-menu.module.css'
import { usePageQuestion } from './use-page-question.ts'

export function AccountMenu() {
  const { me, session, config } = usePortal()
  const { theme, direction } = usePreferences()
  const { open } = useWhy()
  const question = usePageQuestion()
  const { username, email, firstName, lastName } = me()
  const name = `${firstName} ${lastName}`.trim() || username
  return (
    <Popover label={`Account: ${username}`} button={<Avatar name={name} size={28} round />} buttonClass={styles.avatar}>
      {(close) => (
        <div className={menu.menu}>
          <div className={styles.person}>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <bdi>{email || username}</bdi>
            <span className="ltr">
              <bdi>{config.tenant.displayName}</bdi> · realm <bdi>{config.tenant.realm}</bdi>
            </span>
          </div>
          <Link to="/account" className={menu.item} onClick={close}>
            <IconUserCircle size={18} stroke={1.75} aria-hidden /> Account
          </Link>
          {question !== undefined && (
            <button
              type="button"
              className={menu.item}
              aria-haspopup="dialog"
              onClick={() => {
                close()
                open(question)
              }}
            >
              <IconHelp size={18} stroke={1.75} aria-hidden /> What can I do on this page
            </button>
          )}
          <button
            type="button"
            className={menu.item}
            onClick={() => setPreference('theme', theme === 'app-dark' ? 'app-light' : 'app-dark')}
          >
            <IconSunMoon size={18} stroke={1.75} aria-hidden /> {theme === 'app-dark' ? 'Light theme' : 'Dark theme'}
          </button>
          <button
            type="button"
            className={menu.item}
            onClick={() => setPreference('direction', direction === 'ltr' ? 'rtl' : 'ltr')}
          >
            <IconTextDirectionRtl size={18} stroke={1.75} aria-hidden />
            {direction === 'ltr' ? 'Right to left' : 'Left to right'}
          </button>
          <button type="button" className={menu.item} onClick={() => void session.signOut()}>
            <IconLogout size={18} stroke={1.75} aria-hidden /> Sign out
          </button>
        </div>
      )}
    </Popover>
  )
}
