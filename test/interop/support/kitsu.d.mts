export { default } from 'kitsu'
