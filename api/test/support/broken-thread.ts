// What a thread of the pool finds when the product's files are replaced under it, or its memory is not there.
throw new Error('no thread begins');
