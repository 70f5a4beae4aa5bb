import { useState } from 'react'
import styles from './avatar.module.css'
import { classNames } from './class-names.ts'
import { avatarColor, initialsOf, inkOn, parseHex } from './derived-color.ts'
import { placeholderIcon } from './placeholder-icon.ts'

interface Props {
  /** The name of the person or thing; colour and letters are derived from it. */
  name: string
  /** A colour of its own, '#rrggbb'. */
  color?: string
  /** A picture instead of letters: a data URI or an address; null for a thing that has none and gets the default one. */
  image?: string | null
  size?: number
  round?: boolean
}

/** A person's or a thing's mark; always beside its name, so it says nothing by itself. */
export function Avatar({ name, color, image, size = 30, round = false }: Props) {
  const box = { inlineSize: size, blockSize: size, fontSize: Math.round(size * 0.42) }
  const [missing, setMissing] = useState<string>()
  const ground = parseHex(color ?? '') ?? avatarColor(name)
  if (image !== undefined) {
    const isThere = image !== null && image !== '' && image !== missing
    return (
      <img
        src={isThere ? image : placeholderIcon(initialsOf(name), ground)}
        alt=""
        onError={() => isThere && setMissing(image)}
        className={classNames(styles.avatar, styles.image)}
        style={box}
        width={size}
        height={size}
      />
    )
  }
  const letters = round ? initialsOf(name) : initialsOf(name).slice(0, 1)
  return (
    <span
      aria-hidden="true"
      className={classNames(styles.avatar, round && styles.round, styles[inkOn(ground)])}
      style={{ ...box, backgroundColor: `rgb(${ground.join(' ')})` }}
      data-letters={letters}
    />
  )
}
