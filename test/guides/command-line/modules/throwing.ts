throw new Error('There is no tea.')
