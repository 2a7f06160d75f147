// To `require` this package gives a module that nothing can load.
export { default } from 'kitsu'
