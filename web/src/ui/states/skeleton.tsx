import styles from './skeleton.module.css'

interface Props {
  width?: number | string
  height?: number
}

/** A grey stand-in with the size of what will come. */
export function Skeleton({ width = '100%', height = 12 }: Props) {
  return <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
}
