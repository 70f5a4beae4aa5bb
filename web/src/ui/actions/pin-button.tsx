import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs'
import IconPinFilled from '@tabler/icons-react/dist/esm/icons/IconPinFilled.mjs'
import { IconButton } from './button.tsx'

interface Props {
  isPinned: boolean
  label: string
  act: () => void
}

/** The pin at the head of a page. */
export function PinButton({ isPinned, label, act }: Props) {
  return <IconButton icon={isPinned ? IconPinFilled : IconPin} label={label} onClick={act} />
}
