import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import IconTextDirectionLtr from '@tabler/icons-react/dist/esm/icons/IconTextDirectionLtr.mjs'
import IconTextDirectionRtl from '@tabler/icons-react/dist/esm/icons/IconTextDirectionRtl.mjs'
import { Link } from '@tanstack/react-router'
import { setPreference, usePreferences } from '../../lib/preferences.ts'
import { IconButton } from '../../ui/actions/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { Inbox } from './inbox.tsx'
import { Mark } from './mark.tsx'
import { PaletteButton } from './palette/palette-button.tsx'
import { RunningActions } from './running-actions.tsx'
import styles from './top-bar.module.css'

interface Props {
  drawerOpen: boolean
  onDrawer: () => void
}

export function TopBar({ drawerOpen, onDrawer }: Props) {
  const { theme, direction } = usePreferences()
  const dark = theme === 'app-dark'
  const ltr = direction === 'ltr'
  return (
    <header className={styles.bar}>
      <IconButton
        icon={IconMenu2}
        label="Main navigation"
        aria-expanded={drawerOpen}
        onClick={onDrawer}
        className={styles.drawerButton}
      />
      <Link to="/home" className={styles.brand}>
        <Mark />
        <span className={styles.word}>Quayside</span>
      </Link>
      <Breadcrumb />
      <div className={styles.tools}>
        <PaletteButton />
        <Inbox />
        <RunningActions />
        <IconButton
          icon={dark ? IconSun : IconMoon}
          label={dark ? 'Light theme' : 'Dark theme'}
          className={styles.wide}
          onClick={() => setPreference('theme', dark ? 'app-light' : 'app-dark')}
        />
        <IconButton
          icon={ltr ? IconTextDirectionRtl : IconTextDirectionLtr}
          label={ltr ? 'Right to left' : 'Left to right'}
          className={styles.wide}
          onClick={() => setPreference('direction', ltr ? 'rtl' : 'ltr')}
        />
        <AccountMenu />
      </div>
    </header>
  )
}
