/** The library that reads and writes certificates; it finds its parts by metadata and wants this to be there first. */
import 'reflect-metadata';

export * from '@peculiar/x509';
